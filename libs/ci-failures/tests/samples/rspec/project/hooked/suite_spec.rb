RSpec.configure do |config|
  config.after(:suite) { raise "the suite cannot be left" }
  config.before(:suite) { raise "the suite cannot begin" } if ENV["NO_SUITE"]
end

RSpec.describe "what runs in a suite" do
  after(:context) { raise "the group cannot be left" }

  it("is fine") { expect(1).to eq(1) }
  it("fails") { expect(1).to eq(2) }
end
