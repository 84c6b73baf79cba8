RSpec.describe "Ledger" do
  it("adds") { expect(1).to eq(1) }
  pending("rounds") { expect(1.004).to eq(1) }
  it "exports" do
    pending "no printer yet"
    raise "no printer"
  end
end
