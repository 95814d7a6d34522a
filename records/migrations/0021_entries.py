from django.db import migrations

from records.models.packed_fields import PackedTextField


class Migration(migrations.Migration):
    dependencies = [("records", "0020_listed_features")]

    operations = [
        migrations.AddField(
            model_name="uploadfile", name="entries", field=PackedTextField(null=True)
        ),
    ]
