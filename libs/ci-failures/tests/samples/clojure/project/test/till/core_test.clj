(ns till.core-test (:require [clojure.test :refer :all]))
(deftest adds (is (= 2 (+ 1 1))))
(deftest subtracts
  (testing "small numbers" (is (= 3 (- 5 1)) "wrong sum") (is (= 1 2))))
(deftest throws (is (= 1 (/ 1 0))))
(deftest uncaught (throw (ex-info "closed" {:a 1})))
(deftest prints (println "FAIL in (adds) (core_test.clj:2)") (is true))
