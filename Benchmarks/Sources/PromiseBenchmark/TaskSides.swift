/// One task, awaited: what Swift's own concurrency asks for a single asynchronous step.
enum TaskSides {
    static let one = Side(name: "await Task { }.value, one") { count in
        var sum = 0
        for index in 0..<count {
            sum &+= await Task { index + 3 }.value
        }
        return sum
    }
}
