(define (problem lights-out-2x2)
  (:domain lights-out)
  (:objects nw ne sw se - lamp)
  (:init
    (beside nw ne) (beside nw sw) (beside ne nw) (beside ne se)
    (beside sw nw) (beside sw se) (beside se ne) (beside se sw)
    (lit nw) (lit ne) (lit sw))
  (:goal (and (not (lit nw)) (not (lit ne)) (not (lit sw)) (not (lit se)))))
