import HTTPTypes

extension HTTPField.Name {
    /// A name that the test knows to be one; what is none becomes `Accept`.
    static func named(_ text: String) -> HTTPField.Name {
        HTTPField.Name(text) ?? .accept
    }
}
