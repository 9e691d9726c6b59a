import Testing

@testable import LarderClient

@Suite struct RetryBudgetTests {
    @Test func `a retry takes one, a success gives back a part`() {
        let budget = RetryBudget(capacity: 2, refund: 0.5)
        #expect(budget.take(from: "a") && budget.take(from: "a") && !budget.take(from: "a"))
        budget.refund(to: "a")
        #expect(!budget.take(from: "a"))
        budget.refund(to: "a")
        #expect(budget.take(from: "a") && !budget.take(from: "a"))
    }

    @Test func `ten tenths are one`() {
        let budget = RetryBudget(capacity: 1, refund: 0.1)
        #expect(budget.take(from: "a"))
        for _ in 0..<9 { budget.refund(to: "a") }
        #expect(!budget.take(from: "a"))
        budget.refund(to: "a")
        #expect(budget.originCount == 0 && budget.take(from: "a"))
    }

    @Test func `origins have budgets of their own, and nothing is kept of those that are full`() {
        let budget = RetryBudget(capacity: 1, refund: 1)
        #expect(budget.take(from: "a") && budget.take(from: "b") && !budget.take(from: "b"))
        #expect(budget.originCount == 2)
        for _ in 0..<5 { budget.refund(to: "a") }
        budget.refund(to: "b")
        budget.refund(to: "c")
        #expect(budget.originCount == 0)
        #expect(budget.take(from: "a") && !budget.take(from: "a"), "no more than its capacity")
    }

    @Test(arguments: [(0, 0.1), (-3, 0.1), (1, -1), (1, .infinity), (1, .nan)])
    func `odd numbers make no more of it`(_ capacity: Int, _ refund: Double) {
        let budget = RetryBudget(capacity: capacity, refund: refund)
        #expect(budget.take(from: "a") == (capacity > 0))
        budget.refund(to: "a")
        #expect(!budget.take(from: "a"))
    }
}
