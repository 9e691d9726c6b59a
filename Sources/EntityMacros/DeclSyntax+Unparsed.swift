import SwiftSyntax

extension DeclSyntax {
    /// A declaration of which only the compiler has to know what it says.
    ///
    /// Parsing what is printed at once would take most of the time that an expansion takes.
    init(unparsed code: String) {
        self.init(MissingDeclSyntax(placeholder: .identifier(code)))
    }
}
