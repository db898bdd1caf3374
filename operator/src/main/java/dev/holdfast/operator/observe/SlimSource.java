package dev.holdfast.operator.observe;

import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;

/** Objects as JSON, in pages and through the Kubernetes client: for kinds of which there are few. */
final class SlimSource<T extends SlimObject> implements Source {
    private static final long PAGE = 500;

    private final KubernetesClient client;
    private final Slim<T> kind;

    SlimSource(KubernetesClient client, Slim<T> kind) {
        this.client = client;
        this.kind = kind;
    }

    @Override
    public void list(Sight sight) {
        ListOptions options = new ListOptionsBuilder().withLimit(PAGE).build();
        KubernetesResourceList<T> page;
        sight.listing();
        do {
            page = client.resources(kind.type()).inAnyNamespace().list(options);
            sight.alive();
            page.getItems().forEach(object -> kind.changed(sight, object));
            options.setContinue(page.getMetadata().getContinue());
        } while (options.getContinue() != null && !options.getContinue().isEmpty());
        sight.listed(Long.parseLong(page.getMetadata().getResourceVersion()));
    }

    @Override
    public long newest() {
        ListOptions one = new ListOptionsBuilder().withLimit(1L).build();
        return Long.parseLong(client.resources(kind.type())
                .inAnyNamespace()
                .list(one)
                .getMetadata()
                .getResourceVersion());
    }

    @Override
    public Watching watch(Sight sight, Duration length) {
        ListOptions options = new ListOptionsBuilder()
                .withResourceVersion(Long.toString(sight.reached()))
                .withAllowWatchBookmarks(true)
                .withTimeoutSeconds(length.toSeconds())
                .build();
        Following<T> following = new Following<>(kind, sight);
        following.opened(client.resources(kind.type()).inAnyNamespace().watch(options, following));
        return following;
    }
}
