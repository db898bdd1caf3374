package dev.holdfast.it.controlplane;

/** The programs of the control plane, in build order. {@code it/testkit/controlplane/go.mod} sets their versions. */
public enum Program implements GoTool {
    KUBE_APISERVER("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver"),
    KUBE_CONTROLLER_MANAGER("kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager"),
    KUBE_SCHEDULER("kube-scheduler", "k8s.io/kubernetes/cmd/kube-scheduler"),
    KUBECTL("kubectl", "k8s.io/kubernetes/cmd/kubectl"),
    ETCD("etcd", "go.etcd.io/etcd/server/v3"),
    KWOK("kwok", "sigs.k8s.io/kwok/cmd/kwok");

    private final String label;
    private final String goPackage;

    Program(String label, String goPackage) {
        this.label = label;
        this.goPackage = goPackage;
    }

    /** {@return the name of the program, for example {@code kwok}; its binary, log and user are named after it} */
    @Override
    public String label() {
        return label;
    }

    @Override
    public String goPackage() {
        return goPackage;
    }
}
