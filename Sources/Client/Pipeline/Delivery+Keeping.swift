import LarderObjectStore
import LarderPromises
import Logging

/// What is kept of responses, and how much of a turn it takes.
extension Delivery {
    /// The client's cache, and what is to be done with it; nil where there is none.
    var caching: CachingStage? {
        client.configuration.cache.map {
            CachingStage(
                cache: $0, policy: client.cachePolicy(of: endpoint),
                redaction: client.configuration.redaction, isInTransaction: isInTransaction,
                origin: { [kept = client.kept] in kept.origin },
                way: serializer.way(
                    in: client.kept, by: client.configuration.decodingOptions))
        }
    }

    /// Whether anybody may be asked: without a cache nothing is kept that could be used instead.
    var mayBeAsked: Bool {
        client.configuration.cache != nil || client.cachePolicy(of: endpoint).asking != .never
    }

    /// The most objects that are read again in the turn of a response that says that nothing has changed, where a
    /// turn before that one, on another thread, is left out.
    private static var maximumConfirmedCount: Int { 1_024 }

    /// Whether nothing of the app's own has its say before what is kept is read again.
    var isToBeConfirmedAtOnce: Bool {
        guard let kept = keeping?.kept, !client.configuration.isLogging else { return false }
        return kept.skeleton.objectCount <= Self.maximumConfirmedCount && !resolver.isCancelled
    }
}

extension Client.Configuration {
    /// Whether lines are written of requests and their responses.
    var isLogging: Bool { logger.map { $0.logLevel <= .debug } ?? false }
}
