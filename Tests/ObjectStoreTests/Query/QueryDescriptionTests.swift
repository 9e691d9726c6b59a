import Testing

@testable import LarderObjectStore

/// What a query says of itself.
struct QueryDescriptionTests {
    private static let secret = "hunter2"

    @Test func `conditions are shown without their values`() {
        let query = Hero.where { $0.name == Self.secret && $0.strength > 1 }
            .where { $0.id.isIn([1, 2]) || $0.name.contains(Self.secret) }
            .where { !$0.realName.isNil }
        #expect(
            "\(query)"
                == "Hero where ((name = ?) AND (strength > ?)"
                + " AND ((id IN (2 values)) OR (instr(name, ?) > ?)) AND NOT (realName IS NULL))")
        #expect(!String(reflecting: query).contains(Self.secret))
    }

    @Test func `relationships are shown with dots`() {
        let query = Hero.where {
            $0.mentor.publisher.name == "x" && $0.powers.contains { $0.name == "y" }
                && $0.powers.count > 2
        }
        #expect(
            "\(query)"
                == "Hero where ((mentor.publisher.name = ?) AND exists(powers where"
                + " (powers.name = ?)) AND (count(powers) > ?))")
    }

    @Test func `order, page and search follow`() {
        let query = Hero.all.sorted { [$0.name.ascending, $0.strength.descending.nullsFirst] }
            .limit(3).offset(4).distinct()
        #expect(
            "\(query)"
                == "distinct Hero sorted by name, strength descending nulls first limit 3 offset 4")
        #expect("\(Article.matching(Self.secret))" == "Article matching ?")
        #expect(
            "\(Article.where { $0.title.matches(Self.secret) })" == "Article where title MATCHES ?")
        #expect(
            "\(Article.matching("a").sortedByRelevance())"
                == "Article matching ? sorted by relevance")
    }

    @Test func `records are asked alike`() {
        let query = DynamicQuery("Hero").where("strength > 1").where("name", is: Self.secret)
            .matching(Self.secret).sorted("-name").limit(2).offset(1)
        #expect(
            "\(query)"
                == "Hero matching ? where (strength > 1) AND (name IS ?) sorted by -name limit 2 offset 1"
        )
    }
}
