extension Array {
    /// Both, of which the first is nearly always empty.
    func followed(by others: Self) -> Self { isEmpty ? others : self + others }
}
