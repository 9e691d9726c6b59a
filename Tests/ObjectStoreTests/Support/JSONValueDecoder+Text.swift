@testable import LarderObjectStore

extension JSONValueDecoder {
    /// A decoder of the value that the text holds.
    init(json: String) throws {
        self.init(
            value: try JSONDocument(json).root, codingPath: [],
            shared: JSONDecoding(options: DecodingOptions()))
    }
}
