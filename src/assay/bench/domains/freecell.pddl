; Freecell: the card game. Numbers stand for card values, free cells left and empty columns left. Typed STRIPS.
(define (domain freecell)
  (:requirements :strips :typing)
  (:types card num suit - object)
  (:predicates
    (on ?c - card ?below - card)
    (incell ?c - card)
    (clear ?c - card)
    (cellspace ?n - num)
    (colspace ?n - num)
    (home ?c - card)
    (bottomcol ?c - card)
    (canstack ?c - card ?below - card)
    (suit ?c - card ?s - suit)
    (value ?c - card ?v - num)
    (successor ?high - num ?low - num))

  ; From a column onto a column, or off its last card.
  (:action move
    :parameters (?c ?old ?new - card)
    :precondition (and (clear ?c) (clear ?new) (canstack ?c ?new) (on ?c ?old))
    :effect (and (on ?c ?new) (clear ?old) (not (on ?c ?old)) (not (clear ?new))))

  (:action move-b
    :parameters (?c ?new - card ?cols ?ncols - num)
    :precondition (and
      (clear ?c) (bottomcol ?c) (clear ?new) (canstack ?c ?new) (colspace ?cols) (successor ?ncols ?cols))
    :effect (and
      (on ?c ?new) (colspace ?ncols)
      (not (bottomcol ?c)) (not (clear ?new)) (not (colspace ?cols))))

  ; To a free cell.
  (:action sendtofree
    :parameters (?c ?old - card ?cells ?ncells - num)
    :precondition (and (clear ?c) (on ?c ?old) (cellspace ?cells) (successor ?cells ?ncells))
    :effect (and
      (incell ?c) (clear ?old) (cellspace ?ncells)
      (not (on ?c ?old)) (not (clear ?c)) (not (cellspace ?cells))))

  (:action sendtofree-b
    :parameters (?c - card ?cells ?ncells ?cols ?ncols - num)
    :precondition (and
      (clear ?c) (bottomcol ?c) (cellspace ?cells) (successor ?cells ?ncells)
      (colspace ?cols) (successor ?ncols ?cols))
    :effect (and
      (incell ?c) (colspace ?ncols) (cellspace ?ncells)
      (not (bottomcol ?c)) (not (clear ?c)) (not (colspace ?cols)) (not (cellspace ?cells))))

  ; To an empty column.
  (:action sendtonewcol
    :parameters (?c ?old - card ?cols ?ncols - num)
    :precondition (and (clear ?c) (on ?c ?old) (colspace ?cols) (successor ?cols ?ncols))
    :effect (and
      (bottomcol ?c) (clear ?old) (colspace ?ncols)
      (not (on ?c ?old)) (not (colspace ?cols))))

  ; To the card's home pile.
  (:action sendtohome
    :parameters (?c ?old - card ?s - suit ?v - num ?top - card ?vtop - num)
    :precondition (and
      (clear ?c) (on ?c ?old) (home ?top) (suit ?c ?s) (suit ?top ?s)
      (value ?c ?v) (value ?top ?vtop) (successor ?v ?vtop))
    :effect (and
      (home ?c) (clear ?old) (not (on ?c ?old)) (not (home ?top)) (not (clear ?c))))

  (:action sendtohome-b
    :parameters (?c - card ?s - suit ?v - num ?top - card ?vtop ?cols ?ncols - num)
    :precondition (and
      (clear ?c) (bottomcol ?c) (home ?top) (suit ?c ?s) (suit ?top ?s)
      (value ?c ?v) (value ?top ?vtop) (successor ?v ?vtop) (colspace ?cols) (successor ?ncols ?cols))
    :effect (and
      (home ?c) (colspace ?ncols)
      (not (home ?top)) (not (clear ?c)) (not (bottomcol ?c)) (not (colspace ?cols))))

  ; From a free cell.
  (:action homefromfreecell
    :parameters (?c - card ?s - suit ?v - num ?top - card ?vtop ?cells ?ncells - num)
    :precondition (and
      (incell ?c) (home ?top) (suit ?c ?s) (suit ?top ?s)
      (value ?c ?v) (value ?top ?vtop) (successor ?v ?vtop) (cellspace ?cells) (successor ?ncells ?cells))
    :effect (and
      (home ?c) (cellspace ?ncells)
      (not (incell ?c)) (not (home ?top)) (not (cellspace ?cells))))

  (:action colfromfreecell
    :parameters (?c ?new - card ?cells ?ncells - num)
    :precondition (and
      (incell ?c) (clear ?new) (canstack ?c ?new) (cellspace ?cells) (successor ?ncells ?cells))
    :effect (and
      (on ?c ?new) (clear ?c) (cellspace ?ncells)
      (not (incell ?c)) (not (clear ?new)) (not (cellspace ?cells))))

  (:action newcolfromfreecell
    :parameters (?c - card ?cols ?ncols ?cells ?ncells - num)
    :precondition (and
      (incell ?c) (colspace ?cols) (cellspace ?cells) (successor ?cols ?ncols) (successor ?ncells ?cells))
    :effect (and
      (bottomcol ?c) (clear ?c) (colspace ?ncols) (cellspace ?ncells)
      (not (incell ?c)) (not (colspace ?cols)) (not (cellspace ?cells)))))
