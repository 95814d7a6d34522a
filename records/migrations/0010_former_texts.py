from django.db import migrations, models


def decide(apps, schema_editor):
    """Decide which former texts of games that were corrected so far may be quoted.

    Only those that the correction itself hid from everybody are known to have been visible then.
    """
    Upload = apps.get_model("records", "Upload")
    stored = Upload.objects.exclude(replaces="").filter(submissions__isnull=False)
    for upload in stored.order_by("pk").distinct().iterator(chunk_size=200):
        upload.former_since = since(apps, upload)
        upload.save(update_fields=["former_since"])


def since(apps, upload):
    """Return the value of `former_since` for an upload."""
    held = list(apps.get_model("records", "Ownership").objects.filter(record__key=upload.replaces))
    hidden = apps.get_model("records", "Record").objects.filter(
        key=upload.replaces, gone_why="replaced", gone__gte=upload.created
    )
    is_only = [(row.owner_id, row.withdrawn_upload) for row in held] == [
        (upload.owner_id, upload.pk)
    ]
    if not is_only or not hidden.exists():
        return upload.pk
    sent = apps.get_model("records", "Submission").objects.filter(
        record__key=upload.replaces,
        upload__owner=upload.owner_id,
        upload__secret=upload.secret,
        upload__lt=upload.pk,
    )
    last = sent.order_by("-upload_id").values_list("upload", flat=True).first()
    return upload.pk if last is None else last - 1


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0009_counts"),
    ]

    operations = [
        migrations.AddField(
            model_name="upload",
            name="former_since",
            field=models.BigIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(decide, migrations.RunPython.noop),
    ]
