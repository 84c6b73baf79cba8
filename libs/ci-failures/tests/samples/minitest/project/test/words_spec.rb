require "minitest/autorun"

describe "words and such" do
  it "is \"quoted\" & 'so' - [on] (x) #1" do
    _(1).must_equal 2
  end

  describe "when nested: deeper" do
    before { @list = [] }

    it "is not empty" do
      _(@list).wont_be_empty
    end

    it "raises" do
      _ { @list.fetch(9) }.must_raise KeyError
    end
  end
end
