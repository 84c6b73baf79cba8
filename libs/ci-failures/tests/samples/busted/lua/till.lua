local till = {}
local unused = 1

function till.add(a, b)
  return a + b + 1
end

function till.open()
  return till.box.lid
end

total = 3

return till
