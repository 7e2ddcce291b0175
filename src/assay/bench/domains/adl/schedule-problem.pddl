(define (problem schedule-2)
  (:domain schedule)
  (:objects
    a b - part
    oblong circular - shape
    red blue - colour
    one two - width
    front back - orientation)
  (:init
    (shape a oblong) (surface-condition a rough) (painted a red) (temperature a cold)
    (shape b circular) (surface-condition b smooth) (painted b blue) (has-hole b one front) (temperature b cold)
    (has-bit drill one) (has-bit drill two)
    (can-orient drill front) (can-orient drill back)
    (has-paint painter red) (has-paint painter blue))
  (:goal (and (shape a cylindrical) (painted a blue) (surface-condition b polished))))
