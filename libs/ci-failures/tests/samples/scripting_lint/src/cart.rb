# frozen_string_literal: true

class Cart
  def Total( items )
    sum = 0
    return  items.size
  end
end
