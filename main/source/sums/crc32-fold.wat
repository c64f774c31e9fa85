;; Shortens bytes without changing their CRC-32: whatever stands at some place may be added (XOR) to four later
;; places instead, since the polynomial of CRC-32 divides y^300 + y^155 + y^117 + y^89 + 1, where y = x^128, a
;; word of 16 bytes. What is left in the end are 300 words, of which anybody can tell the CRC.
;;
;; Each word becomes itself and those that stand 145, 183, 211 and 300 words before it, as they have become.
(module
  (import "fold" "memory" (memory 1))
  ;; $from: where the bytes are. $words: how many words, an even number of at least 300. $before: the CRC of what
  ;; stands before them. $work: 4,800 + 8,192 bytes to work in. $to: where 4,800 bytes are left.
  (func (export "fold") (param $from i32) (param $words i32) (param $before i32) (param $work i32) (param $to i32)
    (local $at i32) (local $end i32) (local $some i32)
    ;; Nothing stands before the first word, but what CRC-32 begins with: it counts as 300 words before.
    (memory.fill (local.get $work) (i32.const 0) (i32.const 4800))
    (i32.store (local.get $work) (i32.xor (local.get $before) (i32.const -1)))
    ;; All but the last 300, 512 at a time, so that what they are worked out in stays in the processor's cache.
    (local.set $words (i32.sub (local.get $words) (i32.const 300)))
    (block $all
      (loop $blocks
        (br_if $all (i32.eqz (local.get $words)))
        (local.set $some
          (select (i32.const 512) (local.get $words) (i32.gt_u (local.get $words) (i32.const 512))))
        (local.set $words (i32.sub (local.get $words) (local.get $some)))
        (local.set $at (local.get $work))
        (local.set $end (i32.add (local.get $at) (i32.shl (local.get $some) (i32.const 4))))
        (loop $two
          (v128.store offset=4800 (local.get $at)
            (v128.xor
              (v128.xor (v128.load (local.get $from)) (v128.load offset=2480 (local.get $at)))
              (v128.xor (v128.load offset=1872 (local.get $at))
                (v128.xor (v128.load offset=1424 (local.get $at)) (v128.load (local.get $at))))))
          (v128.store offset=4816 (local.get $at)
            (v128.xor
              (v128.xor (v128.load offset=16 (local.get $from)) (v128.load offset=2496 (local.get $at)))
              (v128.xor (v128.load offset=1888 (local.get $at))
                (v128.xor (v128.load offset=1440 (local.get $at)) (v128.load offset=16 (local.get $at))))))
          (local.set $from (i32.add (local.get $from) (i32.const 32)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $two (i32.lt_u (local.get $at) (local.get $end))))
        (memory.copy (local.get $work) (local.get $at) (i32.const 4800))
        (br $blocks)))
    ;; To the last 300 is added what stood before them, and nothing of themselves.
    (memory.fill (i32.add (local.get $work) (i32.const 4800)) (i32.const 0) (i32.const 4800))
    (local.set $at (local.get $work))
    (local.set $end (i32.add (local.get $at) (i32.const 4800)))
    (loop $one
      (v128.store (local.get $to)
        (v128.xor
          (v128.xor (v128.load (local.get $from)) (v128.load offset=2480 (local.get $at)))
          (v128.xor (v128.load offset=1872 (local.get $at))
            (v128.xor (v128.load offset=1424 (local.get $at)) (v128.load (local.get $at))))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $one (i32.lt_u (local.get $at) (local.get $end))))))
