module Main where
import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck
main :: IO ()
main = defaultMain $ testGroup "All"
  [ testGroup "Unit" [ testCase "adds" (1+1 @?= (2::Int)), testCase "subtracts" (5-1 @?= (3::Int)), testCase "throws: hard" (error "closed"), testCase "says" (assertFailure "no\nreason"), testCase "two words OK" (return ()) ]
  , testGroup "Properties" [ testProperty "short" (\xs -> length (xs::[Int]) < 3), testProperty "ok" (\x -> x == (x::Int)) ]
  , testGroup "Single" [ testGroup "Deep" [ testCase "fails too" (assertBool "not true" False) ] ]
  ]
