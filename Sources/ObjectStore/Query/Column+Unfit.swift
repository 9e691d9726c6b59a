/// Stand where values are compared that can't be, so that the compiler says what is wrong.
extension Column where Value: AttributeValue {
    /// Says that a column is never empty.
    @available(
        *, unavailable, message: "the attribute is never empty, as its type is not an optional"
    )
    @_disfavoredOverload
    public static func == (left: Column, right: _OptionalNilComparisonType) -> Condition {
        left.isNil
    }

    /// Says that a column is never empty.
    @available(
        *, unavailable, message: "the attribute is never empty, as its type is not an optional"
    )
    @_disfavoredOverload
    public static func != (left: Column, right: _OptionalNilComparisonType) -> Condition {
        !left.isNil
    }

    /// Says that a column and a value can't be compared.
    @available(*, unavailable, message: "the attribute is of another type than this value")
    @_disfavoredOverload
    public static func == <Other: AttributeValue>(left: Column, right: Other) -> Condition {
        left.isNil
    }

    /// Says that two columns can't be compared.
    @available(*, unavailable, message: "the attributes are of different types")
    @_disfavoredOverload
    public static func == <Other: AttributeValue>(
        left: Column, right: Column<Other>
    ) -> Condition {
        left.isNil
    }

    /// Says that a column and a value can't be compared.
    @available(*, unavailable, message: "the attribute is of another type than this value")
    @_disfavoredOverload
    public static func != <Other: AttributeValue>(left: Column, right: Other) -> Condition {
        left.isNil
    }

    /// Says that two columns can't be compared.
    @available(*, unavailable, message: "the attributes are of different types")
    @_disfavoredOverload
    public static func != <Other: AttributeValue>(
        left: Column, right: Column<Other>
    ) -> Condition {
        left.isNil
    }

    /// Says that a column and a value can't be compared.
    @available(
        *, unavailable,
        message: "the attribute is of another type than this value, or its values have no order"
    )
    @_disfavoredOverload
    public static func < <Other: AttributeValue>(left: Column, right: Other) -> Condition {
        left.isNil
    }

    /// Says that two columns can't be compared.
    @available(
        *, unavailable,
        message: "the attributes are of different types, or their values have no order"
    )
    @_disfavoredOverload
    public static func < <Other: AttributeValue>(
        left: Column, right: Column<Other>
    ) -> Condition {
        left.isNil
    }

    /// Says that a column and a value can't be compared.
    @available(
        *, unavailable,
        message: "the attribute is of another type than this value, or its values have no order"
    )
    @_disfavoredOverload
    public static func <= <Other: AttributeValue>(left: Column, right: Other) -> Condition {
        left.isNil
    }

    /// Says that two columns can't be compared.
    @available(
        *, unavailable,
        message: "the attributes are of different types, or their values have no order"
    )
    @_disfavoredOverload
    public static func <= <Other: AttributeValue>(
        left: Column, right: Column<Other>
    ) -> Condition {
        left.isNil
    }

    /// Says that a column and a value can't be compared.
    @available(
        *, unavailable,
        message: "the attribute is of another type than this value, or its values have no order"
    )
    @_disfavoredOverload
    public static func > <Other: AttributeValue>(left: Column, right: Other) -> Condition {
        left.isNil
    }

    /// Says that two columns can't be compared.
    @available(
        *, unavailable,
        message: "the attributes are of different types, or their values have no order"
    )
    @_disfavoredOverload
    public static func > <Other: AttributeValue>(
        left: Column, right: Column<Other>
    ) -> Condition {
        left.isNil
    }

    /// Says that a column and a value can't be compared.
    @available(
        *, unavailable,
        message: "the attribute is of another type than this value, or its values have no order"
    )
    @_disfavoredOverload
    public static func >= <Other: AttributeValue>(left: Column, right: Other) -> Condition {
        left.isNil
    }

    /// Says that two columns can't be compared.
    @available(
        *, unavailable,
        message: "the attributes are of different types, or their values have no order"
    )
    @_disfavoredOverload
    public static func >= <Other: AttributeValue>(
        left: Column, right: Column<Other>
    ) -> Condition {
        left.isNil
    }

    /// Says that a column is no condition.
    @available(
        *, unavailable,
        message: "a condition compares an attribute with a value: '$0.isOpen == false'"
    )
    @_disfavoredOverload
    public static prefix func ! (column: Column) -> Condition {
        column.isNil
    }
}

/// Stand where a relationship is compared with a value, so that the compiler says what is wrong.
extension ToOneColumn {
    /// Says with what a relationship is compared.
    @available(*, unavailable, message: "compare a relationship with a 'One': 'One(object)'")
    @_disfavoredOverload
    public static func == (left: ToOneColumn, right: Destination) -> Condition {
        !left.isNil
    }

    /// Says with what a relationship is compared.
    @available(*, unavailable, message: "compare a relationship with a 'One': 'One(object)'")
    @_disfavoredOverload
    public static func != (left: ToOneColumn, right: Destination) -> Condition {
        !left.isNil
    }

    /// Says with what a relationship is compared.
    @available(
        *, unavailable,
        message:
            "compare a relationship with a 'One', or its object's identity with a value: '$0.author.id == 7'"
    )
    @_disfavoredOverload
    public static func == <Other: AttributeValue>(left: ToOneColumn, right: Other) -> Condition {
        !left.isNil
    }

    /// Says with what a relationship is compared.
    @available(
        *, unavailable,
        message:
            "compare a relationship with a 'One', or its object's identity with a value: '$0.author.id != 7'"
    )
    @_disfavoredOverload
    public static func != <Other: AttributeValue>(left: ToOneColumn, right: Other) -> Condition {
        !left.isNil
    }
}
