package dev.holdfast.it.controlplane;

import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Tokens of service accounts, by which a process outside the cluster has the rights of one inside. */
public final class AccountToken {
    private static final long SECONDS = 24 * 60 * 60;

    private AccountToken() {}

    /** {@return a new token of a service account, good for a day} */
    public static String request(KubernetesClient client, String namespace, String account) {
        return client.serviceAccounts()
                .inNamespace(namespace)
                .withName(account)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(SECONDS)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }
}
