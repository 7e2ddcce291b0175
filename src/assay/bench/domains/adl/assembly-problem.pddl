(define (problem assembly-5)
  (:domain assembly)
  (:objects
    lamp stand shade bulb clamp - part
    bench press - resource)
  (:init
    (free bench) (free press)
    (available shade) (available bulb) (available clamp)
    (available stand)
    (part-of shade lamp) (part-of bulb lamp) (part-of stand lamp)
    (transient-part clamp lamp)
    (requires lamp bench)
    (assemble-order stand bulb lamp) (assemble-order clamp shade lamp)
    (remove-order shade clamp lamp))
  (:goal (available lamp)))
