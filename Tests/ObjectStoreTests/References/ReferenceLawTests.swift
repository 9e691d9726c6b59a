import Foundation
import Testing

@testable import LarderObjectStore

/// A link to what has not arrived: seen alike from everywhere, before and after it does.
struct ReferenceLawTests {
    private let store: Store
    private let ward: Ward

    init() throws {
        store = try Hospital.referring()
        ward = try #require(try store.find(Ward.self, id: 1))
    }

    private func code(_ body: () throws -> Void) -> StoreError.Reason? {
        #expect(throws: StoreError.self) { try body() }?.reason
    }

    private func count(_ condition: (Ward.Columns) -> Condition) throws -> Int {
        try store.count(Ward.where(condition))
    }

    @Test func `what is read along is nil or left out`() throws {
        let read = try store.fetch(
            Ward.all, including: \.head, \.deputy, \.nurses, \.badge, \.guest)
        let (_, head, deputy, nurses, badge, guest) = try #require(read.first)
        #expect(read.count == 1)
        #expect(head == nil && deputy == nil && badge == nil && guest == nil)
        #expect(nurses.map(\.login) == ["cleo"])
        #expect(try store.fetch([ward.head]).map { $0?.name } == [nil])
        #expect(try store.fetch([ward.deputy, nil]).map { $0?.name } == [nil, nil])
        #expect(try store.fetch([ward.nurses]).map { $0.map(\.name) } == [["Cleo"]])
    }

    @Test func `one link tells what it leads to and that it has not arrived`() throws {
        #expect(ward.head.id == "ann")
        #expect(ward.badge?.id == 7)
        #expect("\(ward.head)" == "One<Nurse>(id: ann)")
        #expect(try ward.head.find() == nil)
        #expect(try ward.badge?.find() == nil)
        #expect(try !ward.head.isComplete)
        #expect(try ward.badge?.isComplete == false)
        #expect(code { _ = try ward.head.fetch() } == .incompleteObject)
        #expect(code { _ = try ward.badge?.fetch() } == .incompleteObject)
    }

    @Test func `a list counts links and gives objects`() throws {
        #expect(try ward.nurses.count == 3)
        #expect(try ward.nurses.fetch().map(\.login) == ["cleo"])
        #expect(try count { $0.nurses.count == 3 } == 1)
        #expect(try count { !$0.nurses.isEmpty } == 1)
        #expect(try count { $0.nurses.contains(One(id: "bob")) } == 1)
        #expect(try count { $0.nurses.contains(One(id: "dan")) } == 0)
        #expect(try count { $0.nurses.count(where: { $0.login != "x" }) == 1 } == 1)
        #expect(try count { $0.nurses.contains { $0.login == "bob" } } == 0)
        #expect(try store.import(Many<Badge>.self, from: Data("[7, 8]".utf8)).count == 2)
        #expect(try store.import([Badge].self, from: Data("[7, 8]".utf8)).isEmpty)
    }

    @Test func `conditions on the link hold, those on the object see nothing`() throws {
        #expect(try count { $0.head == One(id: "ann") } == 1)
        #expect(try count { $0.head == ward.head } == 1)
        #expect(try count { $0.deputy.isNil } == 0)
        #expect(try count { $0.head.login == "ann" } == 1)
        #expect(try count { $0.head.name.isNil } == 1)
        #expect(try count { $0.badge == One(id: 7) } == 1)
    }

    @Test func `queries find objects, and references where they are asked for`() throws {
        #expect(try store.fetch(Nurse.all).map(\.login) == ["cleo"])
        #expect(try store.count(Nurse.all) == 1)
        #expect(try store.find(Nurse.self, id: "ann") == nil)
        #expect(try !store.contains(Nurse.where { $0.login == "ann" }))
        #expect(try store.fetch(Badge.all).isEmpty)
        #expect(try store.find(Badge.self, id: 7) == nil)
        #expect(try store.select(Nurse.references) { $0.login } == ["ann", "bob"])
        #expect(try store.select(Badge.references) { $0.id } == [7])
        #expect(try store.count(Nurse.references) == 2)
        #expect(try store.contains(Nurse.references.where { $0.login == "bob" }))
        #expect(code { _ = try store.fetch(Nurse.references) } == .incompleteObject)
        #expect(code { _ = try store.page(Nurse.references, size: 1) } == .incompleteObject)
    }

    @Test func `records say the same`() throws {
        let record = try #require(try store.find("Ward", id: 1))
        #expect(try record.one("head")?.isComplete == false)
        #expect(try record.one("head")?["login"] == .text("ann"))
        #expect(try record.one("badge")?.isComplete == false)
        #expect(try record.many("nurses").map { $0["login"] } == [.text("cleo")])
        #expect(try store.count(DynamicQuery("Nurse")) == 1)
        #expect(try store.find("Badge", id: 7) == nil)
        let references = try store.fetch(DynamicQuery("Nurse").references().sorted("login"))
        #expect(references.map { $0["login"] } == [.text("ann"), .text("bob")])
        #expect(references.allSatisfy { !$0.isComplete })
    }

    @Test func `JSON has the identity, and makes the same references again`() throws {
        let (one, many) = (try ward.head.json(), try ward.nurses.json())
        #expect(String(decoding: one, as: UTF8.self) == #""ann""#)
        #expect(
            String(decoding: try ward.nurses.json(relationships: .omitted), as: UTF8.self)
                == #"["ann",{"login":"cleo","name":"Cleo","age":null},"bob"]"#)
        let other = try Hospital.store()
        #expect(try other.import(One<Nurse>.self, from: one).id == "ann")
        #expect(try other.import(Nurse?.self, from: one) == nil)
        #expect(try other.import(Many<Nurse>.self, from: many).count == 3)
        #expect(try other.select(Nurse.references) { $0.login } == ["ann", "bob"])
        #expect(try other.fetch(Nurse.all).map(\.login) == ["cleo"])
        let whole = try store.json(Ward.all)
        let copy = try Hospital.store()
        try copy.import([Ward].self, from: whole)
        #expect(try copy.json(Ward.all) == whole)
        #expect(try copy.count(Nurse.references) == 2)
    }

    @Test func `the object that arrives takes the place of the reference`() throws {
        try store.insert(
            "Nurse",
            #"[{"login": "ann", "name": "Ann"}, {"login": "bob", "name": "Bob", "age": 3}]"#)
        try store.save(Badge(id: 7, text: nil))
        let read = try store.fetch(Ward.all, including: \.head, \.deputy, \.nurses, \.badge)
        #expect(read[0].1?.name == "Ann")
        #expect(read[0].2?.age == 3)
        #expect(read[0].3.map(\.login) == ["ann", "cleo", "bob"])
        #expect(read[0].4?.id == 7)
        #expect(try ward.head.isComplete)
        #expect(try ward.head.fetch().name == "Ann")
        #expect(try store.count(Nurse.references) == 0)
        #expect(try store.count(Badge.references) == 0)
        #expect(try store.find(Badge.self, id: 7)?.text == nil)
        #expect(try store.find("Badge", id: 7)?.isComplete == true)
    }

    @Test func `a reference is inserted, not updated, and can be saved over`() throws {
        #expect(
            throws: StoreError.self
        ) { try store.write { try $0.update(Badge(id: 7, text: "x")) } }
        try store.write { try $0.insert(Badge(id: 7, text: "x")) }
        #expect(try ward.badge?.fetch().text == "x")
    }

    @Test func `references are deleted by query and by link`() throws {
        #expect(try store.delete(Nurse.where { $0.login == "bob" }) == 0)
        #expect(try store.delete(Nurse.references.where { $0.login == "bob" }) == 1)
        #expect(try store.find(Ward.self, id: 1)?.deputy == nil)
        #expect(try ward.nurses.count == 2)
        #expect(throws: WritingError.self) { try store.delete(Nurse.references) }
        #expect(try store.write { try $0.delete(One<Badge>(id: 7)) } == 1)
        #expect(try store.count(Badge.references) == 0)
        #expect(try store.find(Ward.self, id: 1)?.badge == nil)
        let gone = try #require(ward.deputy)
        #expect(gone.id == nil)
        #expect(try gone.find() == nil)
        #expect(code { _ = try gone.fetch() } == .missingObject)
        #expect(try store.fetch([gone]).map { $0?.login } == [nil])
    }

    @Test func `observers see the object once it arrives`() throws {
        let recorder = LiveRecorder(
            store.observe(Badge.all).map { $0.map(\.id) }, of: store)
        #expect(recorder.take() == [[]])
        try store.insert("Ward", #"{"id": 2, "name": "b", "head": "ann", "badge": 8}"#)
        #expect(recorder.take().last ?? [] == [])
        try store.insert("Badge", #"{"id": 7}"#)
        #expect(recorder.take() == [[7]])
        try store.save(Badge(id: 8, text: nil))
        #expect(recorder.take() == [[7, 8]])
        recorder.cancel()
    }
}
