(define (problem miconic-full-4)
  (:domain miconic-full)
  (:objects
    f0 f1 f2 - floor
    ann - going-up
    bob - vip
    cleo - never-alone
    dan - attendant
    eve - conflict-a
    fred - conflict-b)
  (:init
    (above f0 f1) (above f0 f2) (above f1 f2)
    (lift-at f0)
    (origin ann f0) (destin ann f2)
    (origin bob f0) (destin bob f1)
    (origin cleo f1) (destin cleo f2)
    (origin dan f1) (destin dan f2)
    (origin eve f2) (destin eve f0)
    (origin fred f1) (destin fred f0)
    (no-access fred f2))
  (:goal (and (served ann) (served bob) (served cleo) (served dan))))
