extension Query {
    /// Keeps the objects whose searchable attributes hold all words of a text too.
    ///
    ///     Issue.matching("crash lau", by: .lastPrefix).sortedByRelevance().limit(20)
    ///
    /// Words stand between spaces, in any order and in any of the attributes; nothing in the text is
    /// an operator. What has several words in it, such as `foo-bar`, matches where they follow each
    /// other. Text without any word, such as `--`, finds nothing; empty text leaves the query as it
    /// is. Scripts without spaces are searched by what stands between other characters.
    ///
    /// Reading throws `StoreError` where the entity has no searchable attribute.
    public func matching(_ text: String, by matching: WordMatching = .wholeWords) -> Query {
        changed {
            let added = SearchText(text, matching)
            $0.search = $0.search.map { $0.joined(with: added) } ?? added
        }
    }

    /// Sorts what `matching` finds by how well it matches, best first, within the orders that were
    /// asked for before.
    ///
    /// The measure is BM25: rare words and short texts count more. Where nothing is searched for all
    /// objects are alike.
    public func sortedByRelevance() -> Query {
        changed { $0.sortKeys.append(.relevance) }
    }
}

extension SortKey {
    /// The best matches first.
    static var relevance: SortKey { SortKey(expression: .relevance, isDescending: false) }
}

extension Entity {
    /// The objects whose searchable attributes hold all words of a text; see
    /// ``Query/matching(_:by:)``.
    public static func matching(
        _ text: String, by matching: WordMatching = .wholeWords
    ) -> Query<Self> {
        all.matching(text, by: matching)
    }
}

extension Column where Value: TextValue {
    /// True where the attribute, which must be searchable, holds all words of a text.
    ///
    /// It searches one attribute, also of linked objects; `Query.matching` searches all of an entity's
    /// together, and can sort by relevance. Empty text matches all objects.
    public func matches(_ text: String, by matching: WordMatching = .wholeWords) -> Condition {
        Condition(expression: .search(expression, SearchText(text, matching)))
    }
}
