from shop.nowhere import nothing
