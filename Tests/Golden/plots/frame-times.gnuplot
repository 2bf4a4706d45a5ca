set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Frame times: Scroll window (gpu-overrun)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "n \065\070\073 \061 missing\073 measured commit to commit\073 \062 dropped refreshes" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.073
set rmargin at screen 0.976
set tmargin at screen 0.825
set bmargin at screen 0.09999999999999998
set xrange [0.0166668:1.0500084]
set xlabel "time in s" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [0.0:35.333616]
set ylabel "frame time in ms" noenhanced textcolor rgb "#1f2328"
set ytics autofreq noenhanced format "%g"
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double" record=(58) endian=default using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb "#0072b2" title "frame time", \
  "data/\061" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#e69f00" dashtype 2 title "p\065\060 \061\066.\066\067 ms", \
  "data/\062" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#009e73" dashtype 2 title "p\071\065 \061\066.\066\067 ms", \
  "data/\063" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#cc79a7" dashtype 2 title "p\071\071 \062\063.\070\063 ms", \
  "data/\064" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#6e7781" title "refresh \061\066.\066\067 ms", \
  "data/\065" binary format="%double%double%double%double" record=(2) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 2.0 linecolor rgb "#d55e00" title "dropped"
unset label
unset multiplot
unset output
# data/0: 0.041667 16.6668 0.0583338 16.6668 0.0750006 16.6668 0.0916674 16.6668 0.1083342 16.6668 0.125001 16.6668 0.1416678 16.6668 0.1583346 16.6668 0.1750014 16.6668 0.1916682 16.6668 0.208335 16.6668 0.2250018 16.6668 0.2416686 16.6668 0.2583354 16.6668 0.2750022 16.6668 0.291669 16.6668 0.3083358 16.6668 0.3250026 16.6668 0.3416694 16.6668 0.3583362 16.6668 0.375003 16.6668 0.3916698 16.6668 0.4083366 16.6668 0.4250034 16.6668 0.4416702 16.6668 0.458337 16.6668 0.4750038 16.6668 0.4916706 16.6668 0.5083374 16.6668 0.5250042 16.6668 0.541671 16.6668 0.5583378 16.6668 0.5750046 16.6668 0.5916714 16.6668 0.6083382 16.6668 0.625005 16.6668 0.6416718 16.6668 0.6583386 16.6668 0.6750054 16.6668 0.6916722 16.6668 0.708339 16.6668 0.7250058 16.6668 0.7416726 16.6668 0.7583394 16.6668 0.7750062 16.6668 0.791673 16.6668 0.8250066 33.3336 0.8416734 16.6668 0.8583402 16.6668 0.875007 16.6668 0.8916738 16.6668 0.9083406 16.6668 0.9250074 16.6668 0.9416742 16.6668 0.958341 16.6668 0.9750078 16.6668 0.9916746 16.6668 1.0083414 16.6668
# data/1: 0.0166668 16.6668 1.0500084 16.6668
# data/2: 0.0166668 16.6668 1.0500084 16.6668
# data/3: 0.0166668 23.833523999999997 1.0500084 23.833523999999997
# data/4: 0.0166668 16.6668 1.0500084 16.6668
# data/5: 0.3000024 0.0 0.3000024 1.7666808 0.8166732 0.0 0.8166732 1.7666808
