package dev.holdfast.operator.serve;

import dev.holdfast.operator.api.ApiClients;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;

/**
 * Asks the API server with a TokenReview who has a token, and with a SubjectAccessReview whether this user may read.
 * The client of a reader waits meanwhile, so each of the two requests is sent once and takes at most two seconds.
 */
public final class ApiReviews implements ReaderAccess.Reviews, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final KubernetesClient client;

    /** Creates the reviews, with a client of their own for the API server. */
    public ApiReviews(Config connection) {
        client = ApiClients.of(connection, PATIENCE);
    }

    @Override
    public ReaderAccess.Review of(String token, String path) {
        TokenReview known = client.resource(new TokenReviewBuilder()
                        .withNewSpec()
                        .withToken(token)
                        .endSpec()
                        .build())
                .create();
        if (known.getStatus() == null || !Boolean.TRUE.equals(known.getStatus().getAuthenticated())) {
            return new ReaderAccess.Review.UnknownToken();
        }
        UserInfo user = known.getStatus().getUser();
        SubjectAccessReview answered = client.resource(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(user.getUsername())
                        .withUid(user.getUid())
                        .withGroups(user.getGroups())
                        .withExtra(user.getExtra())
                        .withNewNonResourceAttributes()
                        .withPath(path)
                        .withVerb("get")
                        .endNonResourceAttributes()
                        .endSpec()
                        .build())
                .create();
        return answered.getStatus() != null
                        && Boolean.TRUE.equals(answered.getStatus().getAllowed())
                ? new ReaderAccess.Review.Allowed()
                : new ReaderAccess.Review.Denied(user.getUsername());
    }

    @Override
    public void close() {
        client.close();
    }
}
