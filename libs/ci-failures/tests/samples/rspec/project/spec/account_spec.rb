require "spec_helper"

RSpec.describe Account do
  it "adds" do
    account = Account.new
    account.add(2)
    expect(account.balance).to eq(3)
  end

  it "passes, and prints what looks like a failure" do
    puts "  1) Account is quoted", "     Failure/Error: expect(1).to eq(2)", "", "rspec ./spec/quoted_spec.rb:7 # Account is quoted"
    puts "3 examples, 2 failures"
    expect(1).to eq(1)
  end

  it "raises deep in the code" do
    Account.new.add("many")
  end

  it "raises with a message of lines that look like others" do
    Account.new.close
  end

  it "has quotes: \"double\", 'single' # and a hash - and [brackets] (round)" do
    expect("a\nb").to eq("a\nc")
  end

  it "is tief & weit: größer als ∞ → 日本" do
    expect([1, 2, 3]).to include(4), "it is not there:\n  4 is missing"
  end

  it { is_expected.to be_frozen }

  it_behaves_like "something that counts", 1
  it_behaves_like "something that counts", 2

  [1, 2, 3].each do |number|
    it("has number #{number} on one line") { expect(number).to be_odd }
  end

  it "tells of all that is wrong", :aggregate_failures do
    expect(1).to eq(2)
    expect("a").to eq("b")
    expect(3).to eq(3)
  end

  context "when it is not done" do
    it "waits"

    it "fails as expected", pending: "not done yet" do
      expect(1).to eq(2)
    end

    it "was done meanwhile", pending: "thought to be broken" do
      expect(1).to eq(1)
    end

    xit "is left out" do
      raise "never"
    end
  end

  it "times out of patience" do
    raise SystemStackError, "stack level too deep"
  end
end
