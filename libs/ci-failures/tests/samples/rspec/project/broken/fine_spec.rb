RSpec.describe "beside what is broken" do
  it("does not run") { expect(1).to eq(2) }
end
