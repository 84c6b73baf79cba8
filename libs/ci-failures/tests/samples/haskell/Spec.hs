module Main where
import Test.Hspec
import Test.Hspec.QuickCheck
import Control.Exception
main :: IO ()
main = hspec $ do
  describe "Till" $ do
    it "adds" $ (1 + 1) `shouldBe` (2 :: Int)
    it "subtracts" $ (5 - 1) `shouldBe` (3 :: Int)
    describe "when closed" $ do
      it "throws" $ evaluate (error "closed\nfor today" :: Int) >>= (`shouldBe` 1)
      it "is pending" $ pendingWith "later"
      it "prints" $ do
         putStrLn "FAILED [1]"
         "a\nb" `shouldBe` "a\nc"
  describe "Lists" $ do
    prop "are short" $ \xs -> length (xs :: [Int]) < 3
    it "contain" $ [1,2::Int] `shouldContain` [3]
  it "top level" $ expectationFailure "no reason"
  before (ioError (userError "no base")) $ describe "hooks" $ it "works" (\() -> True `shouldBe` True)
