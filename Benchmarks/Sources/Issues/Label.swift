package import Larder

/// What an issue is marked with.
@Entity
package struct Label {
    @Identity package var id: Int
    package var name: String
    package var color: String
    @Attribute("default") package var isDefault: Bool
}
