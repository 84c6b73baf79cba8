RSpec.describe "syntax" do
  it("never ends" do
    expect(1).to eq(1)
  end
end
