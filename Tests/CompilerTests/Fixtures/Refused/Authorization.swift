import Larder

func aRefreshIsOfACredential(_ client: Client) {
    _ = AuthorizationInterceptor(.bearer("a")) { old in
        // error: cannot convert value of type 'Promise<Token>' to closure result type
        client.enqueue(Get(path: "token"), as: Token.self)
    }
    _ = AuthorizationInterceptor(.bearer("a")) { old in
        // error: cannot convert value of type 'Token' to closure result type 'Credential'
        try await client.enqueue(Get(path: "token"), as: Token.self).value
    }
    _ = AuthorizationInterceptor { old in
        // error: cannot convert value of type 'Token' to closure result type 'Credential'
        try await client.enqueue(Get(path: "token"), as: Token.self).value
    }
}

func whoIsToldOfChangesIsNamed() {
    // error: cannot convert value of type '()' to closure result type
    _ = AuthorizationInterceptor(.bearer("a")) { print($0 as Any) }
}
