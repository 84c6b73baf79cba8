(ns till.other-test (:require [clojure.test :refer :all]))
(use-fixtures :once (fn [f] (f)))
(deftest adds (is (thrown? Exception (+ 1 1))))
