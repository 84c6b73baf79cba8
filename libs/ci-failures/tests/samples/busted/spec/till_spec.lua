package.path = "./lua/?.lua;" .. package.path
local till = require "till"

describe("a till", function()
  it("adds", function()
    assert.are.equal(3, till.add(1, 2))
  end)

  it("adds nothing", function()
    assert.are.equal(1, till.add(0, 0))
  end)

  it("opens", function()
    till.open()
  end)

  describe("when full", function()
    it('says "full", and 1 > 0', function()
      assert.is_truthy(false, "not full")
    end)
    pending("waits")
  end)
end)
