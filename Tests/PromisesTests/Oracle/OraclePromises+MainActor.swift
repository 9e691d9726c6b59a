import LarderPromises

extension OraclePromises {
    /// What an operator with a handler of the main actor makes; nil where there is none.
    func makeOnMainActor(
        _ id: Int, _ operation: OracleProgram.Operation
    ) -> Promise<Int>? {
        let main = MainActor.shared
        switch operation {
        case .then(let parent, _, .promise(let inner)):
            return self[parent].then(on: main) { value -> Promise<Int> in
                self.note(id, .success(value))
                return self[inner]
            }
        case .then(let parent, _, let reply):
            return self[parent].then(on: main) { value -> Int in
                self.note(id, .success(value))
                return try self.value(reply, id)
            }
        case .recover(let parent, _, let everything, let reply):
            let policy: CatchPolicy = everything ? .allErrors : .allErrorsExceptCancellation
            return self[parent].recover(policy: policy, on: main) { error -> Promise<Int> in
                self.note(id, .failure(error))
                if error is CancellationError { return .fulfilled(id) }
                if case .promise(let inner) = reply { return self[inner] }
                return .fulfilled(try self.value(reply, id))
            }
        case .catch(let parent, _, let everything, let fails):
            let policy: CatchPolicy = everything ? .allErrors : .allErrorsExceptCancellation
            return self[parent].catch(policy: policy, on: main) { error in
                self.note(id, .failure(error))
                if fails { throw Failure(text: "handler \(id)") }
            }
        case .finally(let parent, _, .promise(let inner)):
            return self[parent].finally(on: main) { () -> Promise<Int> in
                self.note(id)
                return self[inner]
            }
        case .finally(let parent, _, let reply):
            return self[parent].finally(on: main) { () -> Void in
                self.note(id)
                _ = try self.value(reply, id)
            }
        case .tap(let parent, _):
            return self[parent].tap(on: main) { self.note(id, $0) }
        case .validate(let parent, _, let passes):
            return self[parent].validate(on: main) { value in
                self.note(id, .success(value))
                return passes
            }
        case .mapElements(let parent, _, let passes):
            let lists = self[parent].then(on: .immediate) { value -> [Int] in [value] }
            let mapped = lists.mapElements(on: main) { value -> Int in
                self.note(id, .success(value))
                return try self.value(passes ? .value : .failure, id)
            }
            return mapped.then(on: .immediate) { values -> Int in values[0] }
        default: return nil
        }
    }
}
