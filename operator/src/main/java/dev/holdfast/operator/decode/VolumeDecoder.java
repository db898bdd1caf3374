package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.NodeTerms;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.CsiVolume;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.VolumeReach;
import java.util.Map;
import java.util.Optional;

/** Decodes a PersistentVolume of core/v1. */
public final class VolumeDecoder implements ObjectDecoder<VolumeDecoder.Volume> {
    /**
     * The older sources for which Kubernetes uses a CSI driver, by protobuf field number in the source. Source: the
     * translators of k8s.io/csi-translation-lib 0.37.1.
     */
    private static final Map<Integer, Translated> TRANSLATED = Map.of(
            Fields.PersistentVolumeSource.GCE_PERSISTENT_DISK,
            new Translated("pd.csi.storage.gke.io", Fields.GCEPersistentDiskVolumeSource.PD_NAME),
            Fields.PersistentVolumeSource.AWS_ELASTIC_BLOCK_STORE,
            new Translated("ebs.csi.aws.com", Fields.AWSElasticBlockStoreVolumeSource.VOLUME_ID),
            Fields.PersistentVolumeSource.CINDER,
            new Translated("cinder.csi.openstack.org", Fields.CinderPersistentVolumeSource.VOLUME_ID),
            Fields.PersistentVolumeSource.AZURE_DISK,
            new Translated("disk.csi.azure.com", Fields.AzureDiskVolumeSource.DISK_URI),
            Fields.PersistentVolumeSource.PORTWORX_VOLUME,
            new Translated("pxd.portworx.com", Fields.PortworxVolumeSource.VOLUME_ID));

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache);
    private final ProtoReader reader = new ProtoReader();

    private Optional<NodeSelector> nodes = Optional.empty();
    private Optional<CsiVolume> csi = Optional.empty();

    /**
     * The part of a PersistentVolume that Holdfast uses.
     *
     * @param reach the nodes on which the volume can be used, by its node affinity and its zone and region labels
     * @param csi the driver and handle; absent if no CSI driver attaches the volume
     */
    public record Volume(VolumeReach reach, Optional<CsiVolume> csi) {}

    /**
     * An older kind of volume, which Kubernetes translates to a CSI driver.
     *
     * @param driver the CSI driver that Kubernetes uses for the volume
     * @param id the protobuf field number of the volume's id
     */
    private record Translated(String driver, int id) {}

    @Override
    public Volume decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        nodes = Optional.empty();
        csi = Optional.empty();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PersistentVolume.METADATA -> metadataDecoder.read(reader);
                case Fields.PersistentVolume.SPEC -> spec();
                default -> reader.skip();
            }
        }
        return new Volume(VolumeReach.of(nodes, metadataDecoder.labels()), csi);
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PersistentVolumeSpec.PERSISTENT_VOLUME_SOURCE -> source();
                case Fields.PersistentVolumeSpec.NODE_AFFINITY -> nodeAffinity();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void source() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            Translated translated = TRANSLATED.get(reader.field());
            if (translated != null) {
                csi = Optional.of(new CsiVolume(translated.driver(), text(translated.id())));
            } else if (reader.field() == Fields.PersistentVolumeSource.CSI) {
                csi = Optional.of(csi());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    /** Reads the reader's current field, and returns the text in one of its fields. */
    private String text(int field) throws MalformedException {
        String text = "";
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == field) {
                text = reader.string();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return text;
    }

    private CsiVolume csi() throws MalformedException {
        String driver = "";
        String handle = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.CSIPersistentVolumeSource.DRIVER -> driver = reader.string();
                case Fields.CSIPersistentVolumeSource.VOLUME_HANDLE -> handle = reader.string();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        return new CsiVolume(driver, handle);
    }

    private void nodeAffinity() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.VolumeNodeAffinity.REQUIRED) {
                nodes = Optional.of(new NodeSelector(NodeTerms.read(reader, stringCache)));
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
