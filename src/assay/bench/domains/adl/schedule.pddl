; Machines that shape, paint and drill parts; each change undoes what it replaces.
(define (domain schedule)
  (:requirements :adl :typing)
  (:types part temperature shape surface colour width orientation machine - object)
  (:constants
    cold hot - temperature
    cylindrical - shape
    polished rough smooth - surface
    polisher roller lathe grinder punch drill painter - machine)
  (:predicates
    (temperature ?p - part ?t - temperature)
    (busy ?m - machine)
    (scheduled ?p - part)
    (surface-condition ?p - part ?s - surface)
    (shape ?p - part ?s - shape)
    (painted ?p - part ?c - colour)
    (has-hole ?p - part ?w - width ?o - orientation)
    (has-bit ?m - machine ?w - width)
    (can-orient ?m - machine ?o - orientation)
    (has-paint ?m - machine ?c - colour))
  (:action do-polish
    :parameters (?p - part)
    :precondition (and (not (busy polisher)) (not (scheduled ?p)) (temperature ?p cold))
    :effect (and
      (busy polisher)
      (scheduled ?p)
      (surface-condition ?p polished)
      (forall (?old - surface)
        (when (and (surface-condition ?p ?old) (not (= ?old polished)))
          (not (surface-condition ?p ?old))))))
  (:action do-roll
    :parameters (?p - part)
    :precondition (and (not (busy roller)) (not (scheduled ?p)))
    :effect (and
      (busy roller)
      (scheduled ?p)
      (temperature ?p hot)
      (not (temperature ?p cold))
      (shape ?p cylindrical)
      (forall (?old - shape)
        (when (and (shape ?p ?old) (not (= ?old cylindrical))) (not (shape ?p ?old))))
      (forall (?old - surface)
        (when (surface-condition ?p ?old) (not (surface-condition ?p ?old))))
      (forall (?old - colour)
        (when (painted ?p ?old) (not (painted ?p ?old))))
      (forall (?w - width ?o - orientation)
        (when (has-hole ?p ?w ?o) (not (has-hole ?p ?w ?o))))))
  (:action do-lathe
    :parameters (?p - part)
    :precondition (and (not (busy lathe)) (not (scheduled ?p)))
    :effect (and
      (busy lathe)
      (scheduled ?p)
      (surface-condition ?p rough)
      (shape ?p cylindrical)
      (forall (?old - shape)
        (when (and (shape ?p ?old) (not (= ?old cylindrical))) (not (shape ?p ?old))))
      (forall (?old - surface)
        (when (and (surface-condition ?p ?old) (not (= ?old rough)))
          (not (surface-condition ?p ?old))))
      (forall (?old - colour)
        (when (painted ?p ?old) (not (painted ?p ?old))))))
  (:action do-grind
    :parameters (?p - part)
    :precondition (and (not (busy grinder)) (not (scheduled ?p)))
    :effect (and
      (busy grinder)
      (scheduled ?p)
      (surface-condition ?p smooth)
      (forall (?old - surface)
        (when (and (surface-condition ?p ?old) (not (= ?old smooth)))
          (not (surface-condition ?p ?old))))
      (forall (?old - colour)
        (when (painted ?p ?old) (not (painted ?p ?old))))))
  (:action do-drill
    :parameters (?p - part ?w - width ?o - orientation)
    :precondition (and
      (not (busy drill))
      (not (scheduled ?p))
      (has-bit drill ?w)
      (can-orient drill ?o)
      (temperature ?p cold))
    :effect (and (busy drill) (scheduled ?p) (has-hole ?p ?w ?o)))
  (:action do-paint
    :parameters (?p - part ?new - colour)
    :precondition (and
      (not (busy painter))
      (not (scheduled ?p))
      (has-paint painter ?new)
      (temperature ?p cold))
    :effect (and
      (busy painter)
      (scheduled ?p)
      (painted ?p ?new)
      (forall (?old - colour)
        (when (and (painted ?p ?old) (not (= ?old ?new))) (not (painted ?p ?old))))))
  (:action do-time-step
    :parameters ()
    :precondition ()
    :effect (and
      (forall (?p - part) (when (scheduled ?p) (not (scheduled ?p))))
      (forall (?m - machine) (when (busy ?m) (not (busy ?m)))))))
