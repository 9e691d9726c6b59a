import LarderObjectStore
extension Context { func delete<T: Entity>(_ q: Query<T>) throws {} }
