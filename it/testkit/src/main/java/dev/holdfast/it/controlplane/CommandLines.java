package dev.holdfast.it.controlplane;

import java.util.ArrayList;
import java.util.List;

/** The command line of each server. */
record CommandLines(Programs programs, WorkFolder folder, Ports ports) {

    private static final String LOOPBACK = "127.0.0.1";

    /** {@return the command of a server} Every program except kubectl is a server. */
    List<String> of(Program program) {
        List<String> command = new ArrayList<>();
        command.add(programs.binary(program).toString());
        command.addAll(
                switch (program) {
                    case ETCD -> etcd();
                    case KUBE_APISERVER -> apiServer();
                    case KUBE_CONTROLLER_MANAGER -> controllerManager();
                    case KUBE_SCHEDULER -> scheduler();
                    case KWOK -> kwok();
                    case KUBECTL -> throw new IllegalArgumentException("kubectl is not a server");
                });
        return List.copyOf(command);
    }

    private List<String> etcd() {
        String client = "http://" + LOOPBACK + ":" + ports.etcdClient();
        String peer = "http://" + LOOPBACK + ":" + ports.etcdPeer();
        return List.of(
                "--name=holdfast",
                "--data-dir=" + folder.etcdData(),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=holdfast=" + peer,
                // The benchmark with 150,000 pods needs more than etcd's default of 2 GiB.
                "--quota-backend-bytes=8589934592",
                // As kubeadm does: otherwise a watch gets no bookmarks for a kind whose objects never change.
                "--watch-progress-notify-interval=5s",
                // The data is deleted with the control plane, so it needs no fsync.
                "--unsafe-no-fsync",
                "--log-level=error");
    }

    private List<String> apiServer() {
        return List.of(
                "--etcd-servers=http://" + LOOPBACK + ":" + ports.etcdClient(),
                "--bind-address=" + LOOPBACK,
                "--secure-port=" + ports.apiServer(),
                "--cert-dir=" + folder.certificates(),
                // Any other type refuses a loopback address. With this type the Service "kubernetes" has no endpoints.
                "--endpoint-reconciler-type=none",
                "--service-cluster-ip-range=10.96.0.0/16",
                "--authorization-mode=RBAC",
                "--token-auth-file=" + folder.tokens(),
                "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
                "--service-account-key-file=" + folder.verifyingKey(),
                "--service-account-signing-key-file=" + folder.signingKey(),
                "--allow-privileged=true",
                "--audit-policy-file=" + folder.auditPolicy(),
                "--audit-log-path=" + folder.auditLog(),
                // No rotation: one audit log file has all records.
                "--audit-log-maxsize=0");
    }

    private List<String> controllerManager() {
        return List.of(
                "--kubeconfig=" + kubeconfig(Program.KUBE_CONTROLLER_MANAGER),
                "--leader-elect=false",
                "--secure-port=0",
                // One ServiceAccount for each controller, as in kubeadm: the audit log then names the controller.
                "--use-service-account-credentials=true",
                "--service-account-private-key-file=" + folder.signingKey(),
                "--root-ca-file=" + folder.authority(),
                // On a busy machine heartbeats arrive late; this must not make the controller taint nodes and delete
                // pods.
                "--node-monitor-grace-period=10m",
                "--node-monitor-period=1s",
                "--kube-api-qps=1000",
                "--kube-api-burst=2000");
    }

    private List<String> scheduler() {
        return List.of("--config=" + folder.schedulerConfig(), "--secure-port=0");
    }

    private List<String> kwok() {
        List<String> flags = new ArrayList<>(List.of(
                "--kubeconfig=" + kubeconfig(Program.KWOK),
                "--manage-all-nodes=true",
                "--node-lease-duration-seconds=40",
                "--cidr=10.128.0.0/12"));
        programs.stages().forEach(stage -> flags.add("--config=" + stage));
        flags.add("--config=" + folder.podsWithoutImage());
        return flags;
    }

    private String kubeconfig(Program program) {
        return folder.kubeconfig(program.label()).toString();
    }
}
