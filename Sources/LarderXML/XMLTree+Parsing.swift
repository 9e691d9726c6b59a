public import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

extension XMLTree {
    /// Reads a document.
    ///
    /// What it has of entities are the five of XML itself and characters by their numbers: a document type
    /// declaration is refused, and with it all that entities could do, such as to grow without bound or to
    /// read files. It is in UTF-8, UTF-16, ISO 8859-1 or Windows-1252.
    ///
    /// - Parameters:
    ///   - data: The document.
    ///   - charset: The encoding that whoever sent it names; the document's own where it is nil.
    ///   - limits: The limits within which it is read.
    public init(
        _ data: Data, charset: String? = nil, limits: XMLLimits = XMLLimits()
    ) throws(XMLError) {
        let text = try XMLText(data, charset: charset)
        let builder = XMLTreeBuilder(limits)
        // In pieces: of what it is given whole, the parser on Linux takes no more than ten million bytes.
        let parser = XMLParser(stream: InputStream(data: text.bytes))
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        // On Linux it is content with a root that isn't closed, and with two; the builder hears of it.
        let isParsed = parser.parse()
        let line = parser.lineNumber + text.skippedLines
        if let reason = builder.refusal { throw XMLError(reason, line: line) }
        guard isParsed, let root = builder.root else { throw XMLError(.malformed, line: line) }
        self = root
    }
}

/// Makes a tree of what a parser finds.
private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private(set) var root: XMLTree?
    private(set) var refusal: XMLError.Reason?
    private let limits: XMLLimits
    /// The elements that are open, the root first.
    private var open: [XMLTree] = []
    private var nodes = 0

    init(_ limits: XMLLimits) {
        self.limits = limits
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        guard refusal == nil else { return }
        nodes += 1 + attributes.count
        if open.count >= min(limits.depth, XMLLimits.deepest) {
            refuse(.tooDeep, parser)
        } else if nodes > limits.nodes {
            refuse(.tooLarge, parser)
        } else if root != nil {
            refuse(.malformed, parser)
        } else {
            open.append(XMLTree(name, attributes: attributes))
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard refusal == nil else { return }
        guard let element = open.popLast(), element.name == name else {
            return refuse(.malformed, parser)
        }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    /// What is said of name spaces (99 to 102, 106, and 200 to 205 of libxml2's numbers), of languages and of
    /// blanks is no matter of whether a document is well-formed, and on Linux comes here, too.
    private static let passingErrors: Set<Int> = [
        98, 99, 100, 102, 106, 200, 201, 202, 203, 204, 205,
    ]

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        guard refusal == nil, !Self.passingErrors.contains((error as NSError).code) else { return }
        // On Linux it would go on, and take what follows for something else than it is.
        refuse(.malformed, parser)
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        append(text)
    }

    func parser(_ parser: XMLParser, foundCDATA data: Data) {
        append(String(decoding: data, as: UTF8.self))
    }

    private func append(_ text: String) {
        guard refusal == nil, !open.isEmpty else { return }
        open[open.count - 1].text += text
    }

    private func refuse(_ reason: XMLError.Reason, _ parser: XMLParser) {
        refusal = reason
        parser.abortParsing()
    }
}
