// What a user interface shows of requests: that they are under way, have come, or have failed.

import Larder

struct Profile: Decodable {
    var name: String
}

// snippet.loader
@MainActor
final class ProfileModel {
    let profile: Loader<Profile>
    let friends: Loader<[Profile]>
    let screen: LoaderGroup

    init(_ client: Client) {
        profile = Loader(client) { $0.enqueue(.get("me"), as: Profile.self) }
        friends = Loader(client, reportsProgress: true) {
            $0.enqueue(.get("me/friends"), as: [Profile].self)
        }
        screen = LoaderGroup([profile, friends])
    }
}
// snippet.end

// snippet.state
@MainActor
func title(of profile: Loader<Profile>) -> String {
    switch profile.state {
    case .idle: "Nobody yet"
    case .loading: profile.value?.name ?? "One moment"
    case .loaded(let profile): profile.name
    case .failed(let error): "Try again: \(error)"
    }
}
// snippet.end

// snippet.states
@MainActor
func follow(_ model: ProfileModel) async {
    model.screen.loadIfNeeded()
    for await state in model.friends.states {
        if case .loading(let progress?) = state { print(progress.received, "bytes") }
        if let error = state.error { print(error) }
    }
}
// snippet.end
