import Larder

@Entity(keys: .snakeCase)
struct PullRequest {
    @Identity var id: Int
    var number: Int
    var title: String
    var body: String?
    var state: String
    @Attribute("merged") var isMerged: Bool?
    @Attribute("head.sha") var headSHA: String
    @Attribute("head.ref") var headBranch: String
    @Attribute("base.ref") var baseBranch: String
    var user: One<User>
    var assignee: One<User>?
    @Relationship("head.repo") var headRepository: One<Repository>?
    @Relationship("base.repo") var baseRepository: One<Repository>
    var milestone: One<Milestone>?
}
