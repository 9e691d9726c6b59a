import Larder

private func oneExpression(_ start: Promise<Int>) {
    // error: value of type 'Int' has no member 'missing'
    start.then { $0.missing }.then { print($0) }
}

private func severalStatements(_ start: Promise<Int>) {
    start.then { number in
        // error: value of type 'Int' has no member 'missing'
        let next = number.missing
        return next + 1
    }
    .then { print($0) }
}

private func declaredResult(_ start: Promise<Int>) {
    start.then { number -> Int in
        // error: value of type 'Int' has no member 'missing'
        let next = number.missing
        return next + 1
    }
}

private func operands(_ start: Promise<Int>) -> Promise<String> {
    start.then { number in
        print(number)
        // error: cannot convert value of type 'Int' to expected argument type 'String'
        return number + "a"
    }
}

private func otherResult(_ start: Promise<Int>) -> Promise<String> {
    // error: cannot convert return expression of type 'Step<Int,
    start.then { $0 + 1 }
}

private func declaredPromise(_ start: Promise<Int>) {
    start.then { number -> Promise<String> in
        print(number)
        // error: cannot convert value of type 'Int' to expected argument type 'String'
        return Promise.fulfilled(number + "b")
    }
    .then { print($0) }
}

/// The guide says what to do: nothing here has a type that the compiler could hold on to.
private func untypedPromise(_ start: Promise<Int>) {
    // error: failed to produce diagnostic
    start.then { number in
        print(number)
        return Promise.fulfilled(number + "b")
    }
}
