require "spec_helper"

RSpec.describe "hooks" do
  context "before each" do
    before { raise IOError, "no connection" }

    it("never runs") { expect(1).to eq(1) }
    it("never runs either") { expect(1).to eq(1) }
  end

  context "before all" do
    before(:context) { raise "the whole group fails" }

    it("is one") { expect(1).to eq(1) }
    it("is two") { expect(1).to eq(1) }
  end

  context "after each" do
    after { raise KeyError, "key not found: :a" }

    it("fails twice") { expect(1).to eq(2) }
  end

  it "has a cause" do
    begin
      Integer("x")
    rescue ArgumentError
      raise "wrapped"
    end
  end
end
