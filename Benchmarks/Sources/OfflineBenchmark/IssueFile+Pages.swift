import Foundation
import Issues
import Larder

extension IssueFile {
    /// Makes pages of issues, none of which is on two of them.
    func pages(_ count: Int, of size: Int) throws -> [Data] {
        var (file, pages, next) = (self, [Data](), Self.firstID)
        while pages.count < count {
            file.setIDs(from: next)
            next += file.count
            let issues = try JSONDocument(file.json).root.elements ?? []
            guard issues.count >= size else { throw WrongResult(what: "the file of issues") }
            for start in stride(from: 0, through: issues.count - size, by: size)
            where pages.count < count {
                var page = Data("[".utf8)
                for issue in issues[start..<start + size] {
                    if page.count > 1 { page.append(UInt8(ascii: ",")) }
                    page.append(issue.source)
                }
                page.append(UInt8(ascii: "]"))
                pages.append(page)
            }
        }
        return pages
    }
}
