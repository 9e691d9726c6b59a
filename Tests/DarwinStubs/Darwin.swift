// swift-format-ignore-file
// The module by which sources tell Apple's systems from others, for `Scripts/check-darwin`.
@_exported import Glibc
