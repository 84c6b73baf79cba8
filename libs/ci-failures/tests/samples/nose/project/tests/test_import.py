from app.nowhere import nothing
