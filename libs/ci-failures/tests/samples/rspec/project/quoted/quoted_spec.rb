require "spec_helper"

RSpec.describe "A formatter" do
  it "is shown with the lists of another run" do
    puts "Failures:", "", "  1) Other fails", "     Failure/Error: no", "", "Failed examples:", ""
    puts "rspec ./spec/other_spec.rb:1 # Other fails"
    expect(1).to eq(1)
  end

  [1, 2].each do |number|
    it("has number #{number}") { expect(number).to eq(0) }
  end
end
