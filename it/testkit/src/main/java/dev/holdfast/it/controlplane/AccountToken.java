package dev.holdfast.it.controlplane;

import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** ServiceAccount tokens, which give a process outside the cluster the rights of a ServiceAccount. */
public final class AccountToken {
    private static final long SECONDS = 24 * 60 * 60;

    private AccountToken() {}

    /** {@return a new token of a ServiceAccount, valid for a day} */
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
