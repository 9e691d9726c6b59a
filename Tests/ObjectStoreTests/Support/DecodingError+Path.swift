extension DecodingError {
    /// Where an error of decoding says that it is, nil for another error.
    static func path(of error: (any Error)?) -> [String]? {
        switch error as? DecodingError {
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?,
            .keyNotFound(_, let context)?, .dataCorrupted(let context)?:
            context.codingPath.map(\.stringValue)
        default: nil
        }
    }
}
