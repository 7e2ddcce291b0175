(define (problem briefcase-3)
  (:domain briefcase)
  (:objects
    home office bank - location
    paper dictionary cheque - portable)
  (:init
    (is-at home)
    (at paper home) (in paper)
    (at dictionary home)
    (at cheque office))
  (:goal (and (at paper office) (at dictionary home) (at cheque bank))))
