// A long chain in an `async` function, of links that can be read in one way only.

import Larder

func name(of id: Int) -> Promise<String> {
    .fulfilled("user \(id)")
}

func followers(of name: String) -> Promise<[Int]> {
    .fulfilled([name.count, 3])
}

func greeting(for id: Int) async throws -> String {
    try await name(of: id)
        .map { $0.uppercased() }
        .flatMap { followers(of: $0) }
        .map { $0.max() ?? 0 }
        .flatMap { name(of: $0) }
        .map { name in
            print("found", name)
            return "Hello, \(name)"
        }
        .value
}

// snippet.hide
print(try await greeting(for: 1))
