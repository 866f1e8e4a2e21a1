machine-kernels-title = با بزرگ شدن دسته، این دستگاه چه می‌کند؟
    .nav = این دستگاه چه می‌کند
machine-kernels-why = یک سطر از یک هسته می‌گذرد، یک بار تنها و بار دیگر کنار حداکثر ۶۳ سطر دیگر. اینجا دستگاه خودتان می‌گوید که بیت‌هایش همان می‌مانند یا نه.

machine-kernels-rows = بیشترین شمار سطرها، M
    .help = همهٔ مقدارهای M از ۱ تا این عدد اجرا می‌شوند و هر سطر با همان سطر در اجرای تنها مقایسه می‌شود.
machine-kernels-seed = بذر
machine-kernels-case = عملگر و قالب
machine-kernels-case-matmul-fp32-library = ضرب ماتریسی · FP32
machine-kernels-case-matmul-bf16-library = ضرب ماتریسی · BF16
machine-kernels-case-matmul-fp16-library = ضرب ماتریسی · FP16
machine-kernels-case-rms_norm-fp32-library = RMSNorm · FP32
machine-kernels-case-rms_norm-bf16-library = RMSNorm · BF16
machine-kernels-case-rms_norm-fp16-library = RMSNorm · FP16
machine-kernels-case-attention-fp32-library = توجه · FP32
machine-kernels-case-attention-bf16-library = توجه · BF16
machine-kernels-case-attention-fp16-library = توجه · FP16
machine-kernels-case-softmax-fp32-library = softmax · FP32
machine-kernels-case-softmax-bf16-library = softmax · BF16
machine-kernels-case-softmax-fp16-library = softmax · FP16
machine-kernels-case-matmul-fp32-lab = ضرب ماتریسی · FP32 (هستهٔ آزمایشگاه)
machine-kernels-case-matmul-bf16-emulated = ضرب ماتریسی · BF16 (شبیه‌سازی‌شده)
machine-kernels-operator-matmul = ضرب ماتریسی
machine-kernels-operator-rms_norm = RMSNorm
machine-kernels-operator-attention = توجه
machine-kernels-operator-softmax = softmax

machine-kernels-some = **{ $format }: سطرهایی تغییر می‌کنند** در { $operators }.
machine-kernels-none = **{ $format }: چیزی تغییر نمی‌کند.** در هر چهار عملگر، همهٔ سطرها بیت‌های خود را نگه می‌دارند.
machine-kernels-comma = {"، "}
machine-kernels-lab-kept = **ضرب FP32 خود آزمایشگاه همهٔ بیت‌ها را نگه می‌دارد.** لاین مرجع با آن حساب می‌کند.
machine-kernels-lab-changed = **ضرب FP32 خود آزمایشگاه اینجا سطرهایی را تغییر می‌دهد.** پس لاین مرجع روی این دستگاه به اندازهٔ دسته وابسته است.
machine-kernels-emulated-changed = **ضرب شبیه‌سازی‌شدهٔ BF16 سطرهایی را تغییر می‌دهد**، همان‌گونه که جدول تقسیمش می‌گوید: با یک سطر ۴ جمع جزئی، تا ۸ سطر ۲، و بیشتر از آن ۱. این مدلی از GPU است، نه هستهٔ خود این دستگاه.
machine-kernels-emulated-kept = **ضرب شبیه‌سازی‌شدهٔ BF16** در این اجرا بیت‌هایش را نگه داشت، هرچند جدول تقسیمش با M تغییر می‌کند.
machine-kernels-repeats-yes = هر اجرا دو بار همان بیت‌ها را داد: همهٔ هسته‌ها در اینجا تکرارپذیرند، حتی آن‌ها که به اندازهٔ دسته وابسته‌اند.
machine-kernels-repeats-no = برخی اجراها دو بار همان بیت‌ها را ندادند: این هسته‌ها حتی تکرارپذیر نیستند. جدول می‌گوید کدام‌ها.

machine-kernels-rows-axis = شمار سطرهای دسته، M
machine-kernels-row-axis = سطر
machine-kernels-kept = همهٔ بیت‌ها مانند اجرای تنها
machine-kernels-changed = بیت‌هایی جز آنِ اجرای تنها
machine-kernels-elements = درایه‌های تغییرکرده
machine-kernels-overview-alt = برای هر عملگر و قالب و شمار سطر: آیا سطری بیت‌هایی جز آنِ اجرای تنها دارد
machine-kernels-rows-alt = { $name }: کدام سطرها بیت‌هایی جز آنِ اجرای تنها دارند، با هر شمار سطر
machine-kernels-amounts-alt = { $name }: سهم درایه‌های تغییرکرده، با هر شمار سطر
machine-kernels-closely = یک عملگر از نزدیک
machine-kernels-empty = اجرا هنوز به این عملگر نرسیده است.
machine-kernels-fact-rows = سطرهای تغییرکرده با M = { $rows }
machine-kernels-median = میانهٔ تغییر (ulp)
machine-kernels-max = بیشترین تغییر (ulp)
machine-kernels-delta = بیشترین تغییر (قدرمطلق)
machine-kernels-device = دستگاه
machine-kernels-threads = ریسه‌ها

machine-kernels-why-known = چرا، تا آنجا که دانسته است
machine-kernels-why-blocks = **ضرب ماتریسی در FP32.** ‏MKL هسته را از روی شکل برمی‌گزیند: یکی برای یک سطر، دیگری برای چند سطر و دیگری برای سطرهای بسیار. هر کدام ۵۷۶ حاصل‌ضربِ یک درایه را به ترتیب خودش جمع می‌کند. قاعده‌هایش منتشر نشده است.
machine-kernels-why-bf16 = **ضرب ماتریسی در BF16.** این پردازنده در ضرب BF16 کتابخانهٔ torch چیزی را تغییر نمی‌دهد. جایی که پردازنده دستور ماتریسی BF16 ندارد، torch هر درایه را یک ضرب داخلی جداگانه حساب می‌کند: جمع در FP32 و یک بار گرد کردن، و هیچ چیز آن به M بستگی ندارد. پس تغییر توکن‌های BF16 که روی GPU دیده می‌شود روی چنین دستگاهی دیده نمی‌شود و آزمایشگاه آن را شبیه‌سازی می‌کند.
machine-kernels-why-gpu = **‏GPU.** ‏cuBLAS هسته را، و با آن کاشی و تقسیم K را، از روی شکل برمی‌گزیند. قاعده‌هایش منتشر نشده است؛ آنچه می‌بینید کاری است که اینجا کرده است.
machine-kernels-why-rows = **‏RMSNorm و softmax.** هر سطر جداگانه جمع می‌شود و اینجا با هر M به یک شیوه. ‏GPUها شاید در دسته‌های بزرگ اندازهٔ بلوک را تغییر دهند؛ ۶۴ سطر به آنجا نمی‌رسد.
machine-kernels-why-attention = **توجه.** ریسه‌ها دنباله‌ها و سرها را میان خود بخش می‌کنند، پس شیوهٔ محاسبهٔ یک سطر می‌تواند به شمار آن‌ها بستگی داشته باشد. با یک ریسه شاید همین دستگاه چیزی را تغییر ندهد: `OMP_NUM_THREADS=1` بگذارید و باز اجرا کنید.
machine-kernels-why-emulated = **ضرب شبیه‌سازی‌شده.** جمع‌ها در FP32 می‌مانند و تنها ترتیبشان تغییر می‌کند، پس درایه‌های اندکی جابه‌جا می‌شوند و بیشترشان یک ulp: جمع باید نزدیک میانهٔ دو عدد BF16 باشد.

machine-kernels-notice-ulps = میانهٔ تغییر چند ulp است. بیشترین تغییر می‌تواند هزاران باشد: جایی که حاصل‌ضرب‌ها یکدیگر را خنثی می‌کنند، درایه نزدیک صفر و ulp آن بسیار کوچک است و همان تغییر قدرمطلق شمار زیادی از آن می‌شود.
machine-kernels-notice-repeat = تکرارپذیری و تغییرناپذیری نسبت به اندازهٔ دسته دو چیزند. یک هسته می‌تواند در هر اجرا همان بیت‌ها را بدهد و با M دیگر بیت‌های دیگری.
machine-kernels-notice-threads = این نتیجه از آنِ این دستگاه و این نسخه‌های کتابخانه‌ها و این شمار ریسه است. دستگاه دیگری شاید پاسخ دیگری بدهد.

machine-kernels-try-lab = ضرب FP32 خود آزمایشگاه را ببینید: وزن‌ها یک بار چیده می‌شوند و یک ترتیب برای هر M به کار می‌رود.
machine-kernels-try-emulated = ضرب شبیه‌سازی‌شدهٔ BF16 را ببینید: سطرها کجا تغییر می‌کنند و کجا نه؟
machine-kernels-try-run = بذر دیگری بردارید و «اجرا» را بزنید: همان هسته‌ها همان سطرها را تغییر می‌دهند.

machine-kernels-column-operator = عملگر
machine-kernels-column-format = قالب
machine-kernels-column-kernel = هسته
machine-kernels-column-rows = سطرها، M
machine-kernels-column-changed_rows = سطرهای تغییرکرده
machine-kernels-column-changed_share = درایه‌های تغییرکرده
machine-kernels-column-median_ulps = میانهٔ ulp
machine-kernels-column-max_ulps = بیشترین ulp
machine-kernels-column-max_delta = بیشترین تغییر
machine-kernels-column-repeats = تکرارپذیر
machine-kernels-column-milliseconds = میلی‌ثانیه
